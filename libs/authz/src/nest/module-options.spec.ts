import { describeModules } from '../../../../tools/testing/module-options.js';
import { Code, StatusError } from '@apix/contracts';
import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Decision } from '../decide/decision.js';
import { failureLog } from './failed-conditions.js';
import { AuthzModule, AUTHZ_OPTIONS } from './authz.module.js';

describeModules([
  {
    name: 'AuthzModule',
    module: AuthzModule,
    token: AUTHZ_OPTIONS,
    method: 'createAuthzOptions',
    options: { subject: () => null },
    beside: [],
    bare: () => [],
  },
]);

it('the log says once for each method that a list was not filtered', () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
  const observer = failureLog();
  const denied = (method: string): Decision => ({
    allowed: false,
    reason: 'no_filter',
    method,
    door: 'grpc',
    subject: null,
    error: new StatusError(Code.INTERNAL, 'internal error', { cause: new Error(method) }),
    shadow: false,
  });
  for (const method of ['/a.B/C', '/a.B/C', '/a.B/D']) observer(denied(method), undefined);
  expect(error.mock.calls.map(([cause]) => String(cause))).toEqual([
    'Error: /a.B/C',
    'Error: /a.B/D',
  ]);
  error.mockRestore();
});
