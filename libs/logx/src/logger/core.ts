import { type Clock, type TraceIds, activeTrace } from '@apix/contracts';
import { type Boundaries, callerOf, stackBelow } from '../event/caller.js';
import { CAUSED_BY, chainOf, errorText, errorType, stackTexts } from '../event/error-text.js';
import { Event, type EventDetails, type EventKind } from '../event/event.js';
import { NO_EXTRAS, extrasOf } from '../event/extra-fields.js';
import type { FieldReader } from '../event/field-reader.js';
import type { KnownFields } from '../event/known-fields.js';
import { fieldName } from '../event/reserved.js';
import { EMPTY_SCOPE, Scope } from '../event/scope.js';
import { withSurplus } from '../event/surplus.js';
import { Level } from '../levels/level.js';
import { LevelTree } from '../levels/level-tree.js';
import {
  hasBraces,
  literalTemplate,
  parseTemplate,
  templateOf,
} from '../template/parse-template.js';
import { Template } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import { fieldValue, type TakenValue } from '../value/taken-value.js';
import { safeText } from '../value/safely.js';
import { Dispatcher } from './dispatcher.js';
import { ErrorReporter } from './error-reporter.js';
import { EventKeeper } from './event-keeper.js';
import type { ResolvedLoggerOptions } from './resolve-options.js';
import type { Sampler } from './sampling.js';

/** Events inside events, as a getter that logs makes them; deeper ones are dropped. */
const MAX_NESTING = 3;

/** Marks events that were kept until their work had failed. */
export const KEPT_FIELD = 'buffered';

const NO_CHAIN: readonly unknown[] = [];
const NO_VALUES: readonly TakenValue[] = [];
const NO_HOLES: Pick<Template, 'holes' | 'skipsArguments'> = { holes: [], skipsArguments: false };

/** The part of a logger that its events depend on. */
export interface EventSource {
  readonly scope: Scope;
  readonly stackTrace: boolean;
  /** Whether an event of this level is only kept. Default: none is. */
  isKept?(level: Level): boolean;
  /** The scope of events that are kept. */
  readonly keptScope?: Scope;
}

/** The parts of an event in addition to its template and arguments. */
export interface LogCall {
  readonly level: Level;
  /**
   * The function whose caller is that of the event, or several as in {@link Boundaries}; undefined if it is
   * unknown.
   */
  readonly boundary: Boundaries | undefined;
  readonly error: unknown;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Instead, for an event that has only fields of a known shape. */
  readonly known?: KnownFields | undefined;
  /** Only for the own events of requests and calls, which always have fields. */
  readonly kind?: EventKind | undefined;
}

/** The state shared by all loggers of a tree. */
export class LoggerCore {
  readonly levels: LevelTree;
  readonly reader: FieldReader;
  readonly dispatcher: Dispatcher;
  readonly errors: ErrorReporter;
  readonly keeper: EventKeeper | undefined;
  readonly #sampler: Sampler | undefined;
  readonly #caller: boolean;
  readonly #clock: Clock;
  readonly #textOf = (value: unknown): string => this.reader.alone(value);
  #nesting = 0;

  /** Of a root logger. */
  readonly stackTrace: boolean;

  /** @throws Error when a sink cannot be opened. */
  constructor(resolved: ResolvedLoggerOptions) {
    const { level, levels, sinks, message, time, ecs, timeFormat } = resolved;
    this.reader = resolved.reader;
    this.stackTrace = resolved.stackTrace;
    this.#sampler = resolved.sampling;
    this.#caller = resolved.caller;
    this.#clock = resolved.clock;
    this.errors = new ErrorReporter(resolved.errorHandler);
    const line = { message, time, ecs };
    this.dispatcher = new Dispatcher(sinks, line, timeFormat, this.errors, {
      now: () => this.#now(),
      after: (ms, fn) => this.#clock.after(ms, fn),
    });
    const { buffer } = resolved;
    this.levels = new LevelTree(level, this.dispatcher.minLevel, levels, buffer !== undefined);
    this.keeper = buffer && new EventKeeper(buffer, this.levels, this.dispatcher, this.#report);
  }

  /**
   * Creates an event and passes it to the sinks. Never throws, and never runs forever.
   *
   * @param args are modified: values replace them.
   * @param isLiteral whether the template is a text that is logged as it is, or a value, whose text is logged.
   *   Default: false.
   */
  log(
    logger: EventSource,
    call: LogCall,
    template: unknown,
    args: unknown[],
    isLiteral = false,
  ): void {
    if (this.#nesting > MAX_NESTING) return;
    this.#nesting++;
    try {
      const isKept = this.keeper !== undefined && logger.isKept?.(call.level) === true;
      const source = isKept ? keptSource(logger) : logger;
      if (!isKept && this.#isSampledOut(call.level)) return;
      const said = isLiteral ? literalOf(this.reader.alone(template)) : templateFor(template, args);
      const count = typeof said === 'string' ? 0 : said.argumentCount;
      const whole = args.length > count ? withSurplus(call, args, count) : call;
      const event =
        typeof said === 'string'
          ? this.#textEvent(source, whole, said, args)
          : this.#event(source, whole, said, args);
      if (isKept) this.keeper.keep(event);
      else this.dispatcher.dispatch(event);
    } catch (error) {
      this.errors.failed('an event could not be logged', error);
    } finally {
      this.#nesting--;
    }
  }

  readonly #report = (template: string, args: unknown[]): void => {
    const scope = this.scopeWith(EMPTY_SCOPE, KEPT_FIELD, true);
    const call = { level: Level.Warning, boundary: undefined, error: undefined, fields: undefined };
    this.log({ scope, stackTrace: false }, call, template, args);
  };

  /** A scope with fields read now. */
  scopeBelow(parent: Scope, names: readonly string[], values: readonly unknown[]): Scope {
    const fields: string[] = [];
    const taken: FieldValue[] = [];
    for (let i = 0; i < names.length; i++) {
      const field = fieldName(names[i]!);
      const value = this.reader.read(field, values[i]);
      if (value === undefined) continue;
      fields.push(field);
      taken.push(fieldValue(value));
    }
    return new Scope(parent, fields, taken);
  }

  /** The same for one field, without lists that grow: each logged request has such a scope. */
  scopeWith(parent: Scope, name: string, value: unknown): Scope {
    const field = fieldName(name);
    const taken = this.reader.read(field, value);
    return taken === undefined ? parent : new Scope(parent, [field], [fieldValue(taken)]);
  }

  /** For a text without braces, as in most events. */
  #textEvent(source: EventSource, call: LogCall, text: string, args: unknown[]): Event {
    const shown = this.reader.text(text);
    const now = this.#now();
    const details =
      args.length > 0 || this.#hasDetails(source, call)
        ? this.#detailsOf(source, call, NO_HOLES, args)
        : undefined;
    return new Event(call.level, now, shown, NO_VALUES, scopeOf(source, call), details);
  }

  #event(source: EventSource, call: LogCall, template: Template, args: unknown[]): Event {
    const parsed = this.reader.template(template);
    const now = this.#now();
    const values = this.#valuesOf(parsed, args);
    const details =
      args.length > parsed.holes.length || parsed.skipsArguments || this.#hasDetails(source, call)
        ? this.#detailsOf(source, call, parsed, args)
        : undefined;
    return new Event(call.level, now, parsed, values, scopeOf(source, call), details);
  }

  #hasDetails({ stackTrace }: EventSource, { level, error, fields, known }: LogCall): boolean {
    return (
      fields !== undefined ||
      known !== undefined ||
      (error !== undefined && error !== null) ||
      (stackTrace && level >= Level.Error) ||
      this.#caller
    );
  }

  #detailsOf(
    { stackTrace }: EventSource,
    { level, boundary, error, fields: given, known, kind }: LogCall,
    parsed: Pick<Template, 'holes' | 'skipsArguments'>,
    args: readonly unknown[],
  ): EventDetails {
    const hasError = error !== undefined && error !== null;
    if (known !== undefined && !hasError && !this.#caller && !stackTrace) {
      if (this.reader.takesAsIs(known)) return known;
    }
    const fields = known === undefined ? given : known.after(undefined);
    const hasExtras =
      fields !== undefined || args.length > parsed.holes.length || parsed.skipsArguments;
    const chain = hasError ? chainOf(error) : NO_CHAIN;
    return {
      extras: hasExtras ? extrasOf(this.reader, parsed, args, fields) : NO_EXTRAS,
      error: hasError ? this.reader.text(errorText(error, chain, this.#textOf)) : undefined,
      errorType: hasError ? errorType(error) : undefined,
      stacks:
        stackTrace && level >= Level.Error ? this.#stacksOf(error, chain, boundary) : undefined,
      caller: this.#caller && boundary ? callerOf(boundary) : undefined,
      kind,
    };
  }

  #stacksOf(
    error: unknown,
    chain: readonly unknown[],
    boundary: Boundaries | undefined,
  ): readonly string[] | undefined {
    const stacks = chain.length > 0 ? stackTexts(error, chain, this.#textOf) : undefined;
    if (stacks !== undefined) return this.reader.parts(stacks, CAUSED_BY);
    const below = boundary && stackBelow(boundary);
    return below === undefined ? undefined : [this.reader.text(below)];
  }

  #isSampledOut(level: Level): boolean {
    return this.#sampler !== undefined && level < Level.Fatal && !this.#sampler.sample(level);
  }

  /** The values of the holes; they replace the arguments if these are in the order of the holes. */
  #valuesOf(template: Template, args: unknown[]): readonly (TakenValue | undefined)[] {
    const { holes } = template;
    if (template.skipsArguments) {
      return holes.map(({ field, argument, capture }) =>
        argument < args.length ? this.reader.read(field, args[argument], capture) : undefined,
      );
    }
    const count = Math.min(holes.length, args.length);
    for (let i = 0; i < count; i++) {
      const { field, capture } = holes[i]!;
      args[i] = this.reader.read(field, args[i], capture);
    }
    return args as (TakenValue | undefined)[];
  }

  #now(): number {
    const now = this.#clock.now();
    return Number.isFinite(now) ? now : Date.now();
  }
}

/** With the mark of events that are kept. */
function keptSource({ scope, keptScope = scope, stackTrace }: EventSource): EventSource {
  return { scope: keptScope, stackTrace };
}

/**
 * With the ids of the active span; the own event of a request keeps the ids of the request's span,
 * whichever span is active.
 */
function scopeOf({ scope }: Pick<EventSource, 'scope'>, { kind }: LogCall): Scope {
  const ids = kind === undefined ? spanUnderWay() : undefined;
  return ids === undefined ? scope : scope.inSpan(ids);
}

function spanUnderWay(): TraceIds | undefined {
  try {
    return activeTrace();
  } catch {
    // An error of the tracer; the event must not be lost because of it.
    return undefined;
  }
}

/** The text itself if it has no braces. */
function templateFor(text: unknown, args: readonly unknown[]): string | Template {
  // Callers without types may pass anything as a template.
  if (typeof text !== 'string') return text instanceof Template ? text : literalOf(safeText(text));
  if (args.length > 0) return templateOf(text);
  return hasBraces(text) ? parseTemplate(text) : text;
}

function literalOf(text: string): string | Template {
  return hasBraces(text) ? literalTemplate(text) : text;
}
