import type { IncomingMessage, ServerResponse } from 'node:http';
import { replaceOn } from '@apix/contracts/internal';

export type ParserWork = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** Whether a mounted handler takes a request, whose body a parser has to leave alone. */
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

/** What guards the parsers of an adapter, for all that want to. */
interface Guard {
  readonly all: Set<IsTaken>;
  readonly undo: readonly (() => void)[];
}

const guards = new WeakMap<object, Guard>();

/**
 * Guards the body parsers that an HTTP adapter gets from now on: what it adds by `use` while Nest has it
 * register parsers, and what has the name of one. The returned function ends it; guarded ones stay so.
 */
export function guardParsers(adapter: object, isTaken: IsTaken): () => void {
  const guard = guards.get(adapter) ?? install(adapter as Patchable);
  guard.all.add(isTaken);
  return () => {
    if (guards.get(adapter) !== guard) return;
    guards.delete(adapter);
    for (const undo of guard.undo) undo();
  };
}

function install(adapter: Patchable): Guard {
  const all = new Set<IsTaken>();
  const isTaken: IsTaken = (req) => [...all].some((it) => it(req));
  let registering = false;
  const undo = [
    replaceOn(
      adapter,
      'use',
      (use) =>
        (...args) =>
          use.apply(
            adapter,
            args.map((work) =>
              typeof work === 'function' && (registering || isBodyParser(work))
                ? unlessTaken(work as ParserWork, isTaken)
                : work,
            ),
          ),
    ),
  ];
  for (const name of REGISTERS) {
    if (adapter[name] === undefined) continue;
    undo.push(
      replaceOn(adapter, name, (register) => (...args) => {
        registering = true;
        try {
          return register.apply(adapter, args);
        } finally {
          registering = false;
        }
      }),
    );
  }
  const guard = { all, undo };
  guards.set(adapter, guard);
  return guard;
}
