import type { IncomingMessage, ServerResponse } from 'node:http';

export type ParserWork = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** Whether the gateway takes a request, whose body a parser has to leave alone. */
export type IsTaken = (req: IncomingMessage) => boolean;

type Register = (...args: unknown[]) => unknown;

/** What Nest calls to register body parsers; the last is optional. */
const REGISTERS = ['registerParserMiddleware', 'useBodyParser'] as const;

interface Patchable {
  use: Register;
  registerParserMiddleware: Register;
  useBodyParser?: Register;
}

/** The names that body-parser gives to its middleware; Nest knows them by these names too. */
const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

/** Whether middleware is a body parser, by its name. */
export function isBodyParser(work: { readonly name: string }): boolean {
  return BODY_PARSERS.has(work.name);
}

/** A parser that leaves the bodies of taken requests. */
export function unlessTaken(parse: ParserWork, isTaken: IsTaken): ParserWork {
  const guarded: ParserWork = (req, res, next) => (isTaken(req) ? next() : parse(req, res, next));
  // By the name, Nest sees that there is a parser already.
  return Object.defineProperty(guarded, 'name', { value: parse.name });
}

const guards = new WeakMap<object, Set<IsTaken>>();

/**
 * Guards the body parsers that an HTTP adapter gets from now on: what it adds by `use` while Nest has it
 * register parsers, and what has the name of one. The returned function ends it; guarded ones stay so.
 */
export function guardParsers(adapter: object, isTaken: IsTaken): () => void {
  const all = guards.get(adapter) ?? install(adapter as Patchable);
  all.add(isTaken);
  return () => {
    if (guards.get(adapter) !== all) return;
    guards.delete(adapter);
    for (const name of ['use', ...REGISTERS]) Reflect.deleteProperty(adapter, name);
  };
}

function install(adapter: Patchable): Set<IsTaken> {
  const all = new Set<IsTaken>();
  guards.set(adapter, all);
  const isTaken: IsTaken = (req) => [...all].some((it) => it(req));
  let registering = false;
  const use = adapter.use.bind(adapter);
  adapter.use = (...args) =>
    use(
      ...args.map((work) =>
        typeof work === 'function' && (registering || isBodyParser(work))
          ? unlessTaken(work as ParserWork, isTaken)
          : work,
      ),
    );
  for (const name of REGISTERS) {
    const register = adapter[name]?.bind(adapter);
    if (register === undefined) continue;
    adapter[name] = (...args) => {
      registering = true;
      try {
        return register(...args);
      } finally {
        registering = false;
      }
    };
  }
  return all;
}
