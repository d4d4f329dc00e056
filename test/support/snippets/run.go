// Reads deliveries from standard input and writes the results of the Go snippet for each.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"snippets/webhooks"
)

type delivery struct {
	Secret  string
	Body    []byte
	Headers map[string]string
}

type result struct {
	Verify     bool `json:"verify"`
	VerifyBody bool `json:"verify_body"`
}

func main() {
	var deliveries []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		log.Fatal(err)
	}
	results := []result{}
	for _, delivery := range deliveries {
		headers := http.Header{}
		for name, value := range delivery.Headers {
			headers.Set(name, value)
		}
		results = append(results, result{
			Verify:     webhooks.Verify(delivery.Secret, delivery.Body, headers),
			VerifyBody: webhooks.VerifyBody(delivery.Secret, delivery.Body, headers),
		})
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		log.Fatal(err)
	}
}
