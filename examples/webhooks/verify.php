<?php
// Says whether a webhook comes from the service. PHP 8 alone, no dependencies.
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * True for a delivery that was signed with the secret, not longer ago than five minutes.
 *
 * @param string $secret as it was shown: whsec_…
 * @param string $body the bytes as they came: file_get_contents('php://input')
 * @param array<string, string> $headers with names in any case: getallheaders()
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

/** True for a body that was signed with the secret, whenever that was: nothing else is in X-Service-Signature. */
function verify_body(string $secret, string $body, array $headers): bool
{
    $given = array_change_key_case($headers)['x-service-signature'] ?? '';
    return hash_equals(hash_hmac('sha256', $body, $secret), $given);
}
