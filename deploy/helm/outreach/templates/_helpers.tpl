{{- define "outreach.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "outreach.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "outreach.labels" -}}
{{ include "outreach.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "outreach.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The name and the value of all settings but the role and what only one role has. */}}
{{- define "outreach.env" -}}
{{- $settings := .Values.settings | default dict -}}
{{- $_ := required "settings.PUBLIC_URL: the address at which recipients and clients reach the API, such as https://outreach.example.com" $settings.PUBLIC_URL -}}
{{- range $name, $value := $settings }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ if kindIs "float64" $value }}{{ int64 $value | quote }}{{ else }}{{ $value | quote }}{{ end }}
{{- end }}
{{- end }}
{{- range .Values.secretKeys }}
- name: {{ . }}_FILE
  value: /etc/outreach/{{ . }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* All of a container but its name, command, environment, ports, probes and resources. */}}
{{- define "outreach.container" -}}
image: {{ include "outreach.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secret, mountPath: /etc/outreach, readOnly: true }
  - { name: tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* All of a Pod but its containers and where it runs. */}}
{{- define "outreach.pod" -}}
serviceAccountName: {{ .Values.serviceAccountName }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secret
    secret:
      secretName: {{ required "existingSecret: the name of a Secret with DATABASE_URL and ENCRYPTION_KEY" .Values.existingSecret }}
      defaultMode: 0440
      items:
        {{- range .Values.secretKeys }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
  # Uploaded files, until they are imported.
  - name: tmp
    emptyDir: { sizeLimit: 1Gi }
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Where the Pods of a role run: takes the root, the name of the role and its values. */}}
{{- define "outreach.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "outreach.selectorLabels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
