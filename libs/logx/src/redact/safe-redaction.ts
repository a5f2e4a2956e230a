import type { RedactOptions } from './redact-options.js';

/**
 * Values that should not be in a log, for `redact: SAFE_REDACTION` or, with more, for
 * `redact: { ...SAFE_REDACTION, paths: ['customer.email'] }`: passwords, secrets, tokens, keys, the headers
 * that contain them, card numbers, and passwords in connection strings. Names are matched at any depth
 * and in any letter case; values under other names are shown.
 */
export const SAFE_REDACTION = {
  names: [
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'x-auth-token',
    'password',
    'passwd',
    'pwd',
    'passphrase',
    'passcode',
    'newPassword',
    'oldPassword',
    'secret',
    'clientSecret',
    'secretKey',
    'secretAccessKey',
    'privateKey',
    'signingKey',
    'token',
    'accessToken',
    'refreshToken',
    'idToken',
    'sessionToken',
    'csrfToken',
    'jwt',
    'apiKey',
    'accessKey',
    'accountKey',
    'sharedAccessKey',
    'credentials',
    'otp',
    'pin',
    'cardNumber',
    'creditCard',
    'cvv',
    'cvc',
    'iban',
    'ssn',
  ],
  connectionStrings: true,
} as const satisfies RedactOptions;
