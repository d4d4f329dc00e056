<?php
// Verifies that a webhook request comes from the service. No dependencies except PHP 8.
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * Returns true if the delivery was signed with the secret at most five minutes ago.
 *
 * @param string $secret as the API returned it: whsec_…
 * @param string $body the bytes as they were received: file_get_contents('php://input')
 * @param array<string, string> $headers with names in upper or lower case: getallheaders()
 */
function verify(string $secret, string $body, array $headers): bool
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Returns true if the body was signed with the secret at any time. X-Service-Signature covers nothing else. */
function verify_body(string $secret, string $body, array $headers): bool
{
    $actual = array_change_key_case($headers)['x-service-signature'] ?? '';
    return hash_equals(hash_hmac('sha256', $body, $secret), $actual);
}
