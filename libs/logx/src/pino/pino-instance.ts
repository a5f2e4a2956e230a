import { isReadableError } from '@apix/contracts/internal';
import { type Logger as PinoLogger, type LoggerOptions, pino } from 'pino';
import { membersOf } from '../value/members-of.js';
import { safely, safeText, unreadable } from '../value/safely.js';
import { completedCall, ERROR_KEY } from './pino-call.js';
import { PINO_SYMBOLS, type PinoInternals, type PinoSymbols } from './pino-internals.js';
import type { PinoEntry, PinoTarget } from './pino-target.js';

type PinoFields = Readonly<Record<string, unknown>>;
type AsJson = (
  this: PinoInternals,
  obj: PinoFields,
  msg: unknown,
  level: number,
  time: string,
) => string;

const MESSAGE_KEY = 'msg';

/**
 * Creates a pino logger whose entries go to the target before pino encodes them as lines; everything else is
 * done by pino. For that it replaces an internal method of pino; with a version of pino without that
 * method, it parses the lines that pino writes.
 */
export function pinoFor(target: PinoTarget, symbols: PinoSymbols = PINO_SYMBOLS): PinoLogger {
  const isExpected = triedOut.get(symbols) ?? isAsExpected(symbols);
  triedOut.set(symbols, isExpected);
  return isExpected ? intercepting(target, symbols) : rereading(target);
}

const triedOut = new Map<PinoSymbols, boolean>();

/** Whether this version of pino calls the replaced method as expected; tested with one call. */
export function isAsExpected(symbols: PinoSymbols): boolean {
  const entries: PinoEntry[] = [];
  const lines: string[] = [];
  const target: PinoTarget = {
    enabled: () => true,
    write: (entry) => entries.push(entry),
    flush: () => Promise.resolve(),
    flushSync: () => {},
  };
  return safely(
    () => {
      const serializers = { b: (b: number) => b + 1 };
      const child = intercepting(target, symbols, (line) => lines.push(line)).child(
        { a: 1 },
        { serializers },
      );
      child.info({ b: 2 }, 'c %d', 3);
      const { level, message, fields, bindings } = entries[0]!;
      return (
        `${entries.length} ${lines.join('')} ${level} ${message}` === '1  30 c 3' &&
        fields['b'] === 3 &&
        bindings['a'] === 1
      );
    },
    () => false,
  );
}

function intercepting(
  target: PinoTarget,
  symbols: PinoSymbols,
  onLine: (line: string) => void = () => {},
): PinoLogger {
  const logger = create(target, (line) => line !== '' && onLine(line));
  const original = logger[symbols.asJson] as AsJson;
  const stringifiers = logger[symbols.stringifiers];
  const known = new WeakMap<
    PinoLogger,
    { readonly text: unknown; readonly bindings: PinoFields }
  >();
  const bindingsOf = (instance: PinoInternals): PinoFields => {
    const text = instance[symbols.bindings];
    const last = known.get(instance);
    if (last?.text === text) return last!.bindings;
    const bindings = safely(
      () => JSON.parse(`{${(text as string).slice(1)}}`) as PinoFields,
      () => ({}),
    );
    known.set(instance, { text, bindings });
    return bindings;
  };
  const asJson: AsJson = function (obj, msg, level, time) {
    if (!target.enabled(level)) return '';
    if (this[symbols.stringifiers] === stringifiers) {
      const fields = serialized(obj, this, symbols);
      target.write({ level, ...takenApart(fields, msg), bindings: bindingsOf(this) });
    } else {
      // Only pino can apply the redaction of a child.
      target.write(entryOf(original.call(this, obj, msg, level, time)));
    }
    return '';
  };
  return Object.assign(logger, { [symbols.asJson]: asJson });
}

function rereading(target: PinoTarget): PinoLogger {
  return create(target, (line) => {
    const entry = entryOf(line);
    if (target.enabled(entry.level)) target.write(entry);
  });
}

const HOOKS: NonNullable<LoggerOptions['hooks']> = {
  logMethod(args, method, level) {
    method.apply(this, completedCall(args, level));
  },
};

/** Lets every level pass: the target decides, as its levels may change at any time. */
function create(target: PinoTarget, write: (line: string) => unknown): PinoInternals {
  const destination = {
    write: (line: string) => void write(line),
    flush: (done: () => void) => void flushThen(target, done),
    flushSync: () => target.flushSync(),
  };
  const options = { level: 'trace', base: null, timestamp: false, hooks: HOOKS } as const;
  const logger = pino(options, destination) as PinoInternals;
  const levels = logger as { isLevelEnabled: (this: PinoLogger, level: string) => boolean };
  const { isLevelEnabled } = levels;
  levels.isLevelEnabled = function (level) {
    return isLevelEnabled.call(this, level) && target.enabled(this.levels.values[level] ?? 0);
  };
  return logger;
}

async function flushThen(target: PinoTarget, done: () => void): Promise<void> {
  await target.flush();
  done();
}

function entryOf(line: string): PinoEntry {
  const { level, ...fields } = JSON.parse(line) as PinoFields & { level: number };
  return { level, ...takenApart(fields, undefined), bindings: {} };
}

/** The merging object after the logger's `formatters.log` and serialisers. */
function serialized(obj: PinoFields, logger: PinoInternals, symbols: PinoSymbols): PinoFields {
  const { log } = logger[symbols.formatters] as { log?: (obj: PinoFields) => PinoFields };
  const serializers = logger[symbols.serializers] as Readonly<
    Record<string, (v: unknown) => unknown>
  >;
  const merged =
    log === undefined
      ? obj
      : safely(
          () => log(obj),
          () => obj,
        );
  const fields = Object.fromEntries(membersOf(merged));
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const serializer = serializers[name];
    if (serializer !== undefined && !(name === ERROR_KEY && isReadableError(value))) {
      fields[name] = safely(() => serializer(value), unreadable);
    }
  }
  return fields;
}

/** `err` and `msg` of pino are an event's error and its message. */
function takenApart(
  fields: PinoFields,
  msg: unknown,
): Pick<PinoEntry, 'message' | 'fields' | 'error'> {
  const { [ERROR_KEY]: error, [MESSAGE_KEY]: inFields, ...others } = fields;
  const isError = typeof error === 'object' && error !== null;
  const message = msg ?? inFields;
  return {
    message: message === undefined ? '' : safeText(message),
    error: isError ? error : undefined,
    fields: error === undefined || isError ? others : { ...others, [ERROR_KEY]: error },
  };
}
