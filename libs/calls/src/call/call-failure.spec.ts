import { Code } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { ownFailure } from './call-failure.js';

const UNAVAILABLE = [Code.UNAVAILABLE, 'the service is unavailable'];

describe('a failure that no server stated', () => {
  it.each([
    [Code.CANCELLED, 'Call cancelled', UNAVAILABLE],
    [Code.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded', UNAVAILABLE],
    [
      Code.RESOURCE_EXHAUSTED,
      'Received message larger than max (9 vs 4)',
      [Code.INTERNAL, 'the response is too large'],
    ],
    [
      Code.RESOURCE_EXHAUSTED,
      'Received message that decompresses to a size larger than 4',
      [Code.INTERNAL, 'the response is too large'],
    ],
    [
      Code.RESOURCE_EXHAUSTED,
      'Attempted to send message with a size larger than 4',
      [Code.RESOURCE_EXHAUSTED, 'the call failed'],
    ],
    [Code.PERMISSION_DENIED, 'Protocol not secure enough', UNAVAILABLE],
    [
      Code.PERMISSION_DENIED,
      'Received HTTP status code 403',
      [Code.PERMISSION_DENIED, 'the call failed'],
    ],
    [Code.UNAUTHENTICATED, 'Getting metadata from plugin failed with error: x', UNAVAILABLE],
    [
      Code.UNAUTHENTICATED,
      'Received HTTP status code 401',
      [Code.UNAUTHENTICATED, 'the call failed'],
    ],
    [Code.DEADLINE_EXCEEDED, 'Deadline exceeded', [Code.DEADLINE_EXCEEDED, 'deadline exceeded']],
  ])('with the code %d and the text "%s" blames the right side', (code, details, expected) => {
    const { code: told, message } = ownFailure(code, details);
    expect([told, message]).toEqual(expected);
  });
});
