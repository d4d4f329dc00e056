// Reads claims from standard input, and writes what the snippet for Go says of each.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"snippets/webhooks"
)

type claim struct {
	Secret  string
	Body    []byte
	Headers map[string]string
}

type verdict struct {
	Verify     bool `json:"verify"`
	VerifyBody bool `json:"verify_body"`
}

func main() {
	var claims []claim
	if err := json.NewDecoder(os.Stdin).Decode(&claims); err != nil {
		log.Fatal(err)
	}
	verdicts := []verdict{}
	for _, claim := range claims {
		headers := http.Header{}
		for name, value := range claim.Headers {
			headers.Set(name, value)
		}
		verdicts = append(verdicts, verdict{
			Verify:     webhooks.Verify(claim.Secret, claim.Body, headers),
			VerifyBody: webhooks.VerifyBody(claim.Secret, claim.Body, headers),
		})
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		log.Fatal(err)
	}
}
