// Package webhooks says whether a webhook comes from the service. Go's standard library, no dependencies.
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

// Verify is true for a delivery that was signed with the secret, not longer ago than five minutes. The secret is as it
// was shown (whsec_…), the body as it came: io.ReadAll(request.Body), before anything has parsed it.
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

// VerifyBody is true for a body that was signed with the secret, whenever that was: nothing else is in
// X-Service-Signature.
func VerifyBody(secret string, body []byte, headers http.Header) bool {
	expected := hex.EncodeToString(sign([]byte(secret), body))
	return hmac.Equal([]byte(headers.Get("x-service-signature")), []byte(expected))
}

func sign(key, message []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return mac.Sum(nil)
}
