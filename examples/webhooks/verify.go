// Package webhooks verifies that a webhook request comes from the service. No dependencies except the standard library.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// Verify returns true if the delivery was signed with the secret at most five minutes ago. The secret is the string that
// the API returned (whsec_…). The body has the bytes as they were received: io.ReadAll(request.Body), before any parsing.
func Verify(secret string, body []byte, headers http.Header) bool {
	timestamp := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	signed := headers.Get("webhook-id") + "." + timestamp + "." + string(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(sign(key, []byte(signed)))
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// VerifyBody returns true if the body was signed with the secret at any time. X-Service-Signature covers nothing else.
func VerifyBody(secret string, body []byte, headers http.Header) bool {
	expected := hex.EncodeToString(sign([]byte(secret), body))
	return hmac.Equal([]byte(headers.Get("x-service-signature")), []byte(expected))
}

func sign(key, message []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return mac.Sum(nil)
}
