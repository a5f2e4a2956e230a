function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What the code of a user may throw or log, each with its name. */
export const HOSTILE_VALUES: readonly (readonly [string, unknown])[] = [
  ['an object without a prototype', Object.create(null)],
  ['a revoked proxy', revokedProxy()],
  ['a symbol', Symbol('x')],
  ['undefined', undefined],
  [
    'an object with throwing getters',
    {
      get message(): string {
        throw new Error('no');
      },
      get code(): string {
        throw new Error('no');
      },
      toString(): string {
        throw new Error('no');
      },
    },
  ],
  ['an error whose cause is a revoked proxy', new Error('outer', { cause: revokedProxy() })],
];
