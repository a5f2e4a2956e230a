/**
 * Values other than readable errors that code can throw, each with a description: for tests that nothing is
 * lost when a job, a handler or a check throws one. Reading such a value may throw again.
 */
export function unreadableValues(): readonly (readonly [what: string, thrown: unknown])[] {
  const refuse = (): never => {
    throw new Error('this cannot be read');
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const trapped = (key: string): Error =>
    Object.defineProperty(new Error('trapped'), key, { get: refuse });
  return [
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('thrown')],
    ['a function', refuse],
    ['an object without a prototype', Object.create(null)],
    ['an object whose toString throws', { toString: refuse }],
    ['a revoked proxy', proxy],
    ['a proxy whose every trap throws', new Proxy({}, { get: refuse, getPrototypeOf: refuse })],
    ['an error whose message throws', trapped('message')],
    ['an error whose name throws', trapped('name')],
    ['an error whose stack throws', trapped('stack')],
    ['an error whose cause throws', trapped('cause')],
    ['an error whose message is a symbol', Object.assign(new Error(), { message: Symbol('m') })],
  ];
}
