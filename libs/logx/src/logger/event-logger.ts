import type { Deadline } from '@apix/contracts';
import type { Logger as PinoLogger } from 'pino';
import { unitInContext } from '../context/work.js';
import { pinoFor } from '../pino/pino-instance.js';
import type { Boundary } from '../event/caller.js';
import type { KnownFields } from '../event/known-fields.js';
import { EMPTY_SCOPE, type Scope } from '../event/scope.js';
import { LEVEL_FIELDS } from '../levels/level-fields.js';
import { isLevel, Level, type LevelInput, toLevel } from '../levels/level.js';
import type { LevelPath, Levels } from '../levels/level-tree.js';
import { membersOf } from '../value/members-of.js';
import { anyForm, type CallForm, plainForm, textOfThrown } from './call-form.js';
import type { EventFollower } from './dispatcher.js';
import { KEPT_FIELD, type LogCall, type LoggerCore } from './core.js';
import { exitAfterFlush } from './exit-after-flush.js';
import type { LevelMethod, Logger, LogRequest } from './logger.js';
import { PinoEvents } from './pino-events.js';

/** Fields of a child, none of them twice. */
export interface ChildFields {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
}

/** The own event of a request or call, with its template. */
export interface OwnEvent extends Pick<LogRequest, 'level' | 'error'> {
  readonly known: KnownFields;
  /** The values of the template's holes; they are modified. */
  readonly args: unknown[];
  /** Fields that few such events have, before the known ones, which replace them. */
  readonly others: Readonly<Record<string, unknown>> | undefined;
  /** Whether it has the stack of its error, whatever the logger's option says. */
  readonly withStack: boolean;
}

/** Shared: only values that are there are replaced. */
const NO_ARGS: unknown[] = [];

/** The logger of the library: one of a tree that shares a core. */
export class EventLogger implements Logger {
  private version = -1;
  private minimum: number = 0;
  #keptScope: Scope | undefined;
  #pino: PinoLogger | undefined;

  constructor(
    private readonly core: LoggerCore,
    readonly scope: Scope,
    private readonly path: LevelPath | undefined,
    readonly stackTrace: boolean,
    /** Undefined for the root itself. */
    private readonly ancestor: EventLogger | undefined,
  ) {}

  /** @param fields of every event. */
  static root(
    core: LoggerCore,
    stackTrace: boolean,
    fields: Readonly<Record<string, unknown>> = {},
  ): EventLogger {
    const bare = new EventLogger(core, EMPTY_SCOPE, undefined, stackTrace, undefined);
    const members = membersOf(fields);
    if (members.size === 0) return bare;
    const { scope, path } = bare.child([...members.keys()], [...members.values()]);
    return new EventLogger(core, scope, path, stackTrace, undefined);
  }

  verbose(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Verbose)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.verbose, first, args);
    else this.logCall(CALLS.verbose, plainForm(first, args));
  }

  debug(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Debug)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.debug, first, args);
    else this.logCall(CALLS.debug, plainForm(first, args));
  }

  information(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Information)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.information, first, args);
    else this.logCall(CALLS.information, plainForm(first, args));
  }

  info(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Information)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.info, first, args);
    else this.logCall(CALLS.info, plainForm(first, args));
  }

  log(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Information)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.log, first, args);
    else this.logCall(CALLS.log, plainForm(first, args));
  }

  warning(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Warning)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.warning, first, args);
    else this.logCall(CALLS.warning, plainForm(first, args));
  }

  warn(first: unknown, ...args: unknown[]): void {
    if (!this.enabled(Level.Warning)) return;
    if (typeof first === 'string') this.core.log(this, CALLS.warn, first, args);
    else this.logCall(CALLS.warn, plainForm(first, args));
  }

  error(first: unknown, ...args: unknown[]): void {
    if (this.enabled(Level.Error)) this.logCall(CALLS.error, anyForm(first, args));
  }

  fatal(first: unknown, ...args: unknown[]): void {
    this.core.keeper?.flush();
    if (this.enabled(Level.Fatal)) this.logCall(CALLS.fatal, anyForm(first, args));
    exitAfterFlush(this.core.dispatcher);
  }

  write(request: LogRequest): void {
    const { level, template, text, args, fields, error, kind } = request;
    const { boundary = METHODS.write, exits = false } = request;
    const isLiteral = text !== undefined || template === undefined;
    if (exits) this.core.keeper?.flush();
    if (isLevel(level) && this.enabled(level)) {
      this.core.log(
        this,
        { level, boundary, error, fields, kind },
        isLiteral ? textOf(text, error) : template,
        args === undefined ? NO_ARGS : [...args],
        isLiteral,
      );
    }
    if (exits) exitAfterFlush(this.core.dispatcher);
  }

  /**
   * Logs the own event of a request.
   *
   * @param below fields as a child would add them: it is not created, which is for one that would log only once. None
   *   of them sets a level.
   */
  writeOwn({ level, known, args, others, error, withStack }: OwnEvent, below?: ChildFields): void {
    if (!this.enabled(level)) return;
    const { core, scope: own, stackTrace } = this;
    const scope = below === undefined ? own : core.scopeBelow(own, below.names, below.values);
    const { kind, template } = known.shape;
    const boundary = METHODS.writeOwn;
    const call: LogCall =
      others === undefined
        ? { level, boundary, error, fields: undefined, known, kind }
        : { level, boundary, error, fields: known.after(others), known: undefined, kind };
    core.log({ scope, stackTrace: stackTrace || withStack }, call, template, args);
  }

  forContext(name: string, value: unknown): Logger {
    return this.child([name], [value]);
  }

  forContextValues(values: Readonly<Record<string, unknown>>): Logger {
    const members = membersOf(values);
    return this.child([...members.keys()], [...members.values()]);
  }

  named(service: string): Logger {
    return this.child(['service'], [service]);
  }

  withLevel(level: LevelInput): Logger {
    const path = { level: toLevel(level), outer: this.path };
    return new EventLogger(this.core, this.scope, path, this.stackTrace, this.ancestor ?? this);
  }

  withStackTrace(on: boolean): Logger {
    return new EventLogger(this.core, this.scope, this.path, on, this.ancestor ?? this);
  }

  enabled(level: Level): boolean {
    const { levels } = this.core;
    if (this.version !== levels.version) {
      this.minimum = levels.minimum(this.path);
      this.version = levels.version;
    }
    return levels.isPlain ? level >= this.minimum : this.#isEnabledHere(level);
  }

  /** By the work under way, which may have a level of its own, and keep events that are below it. */
  #isEnabledHere(level: Level): boolean {
    return level >= this.#minimumHere || this.core.keeper?.keeps(level) === true;
  }

  get #minimumHere(): number {
    const { levels } = this.core;
    return levels.hasRules ? levels.minimumIn(unitInContext(), this.minimum) : this.minimum;
  }

  /** Of a level that is enabled. */
  isKept(level: Level): boolean {
    return level < this.#minimumHere;
  }

  get keptScope(): Scope {
    return (this.#keptScope ??= this.core.scopeWith(this.scope, KEPT_FIELD, true));
  }

  flush(deadline?: Deadline): Promise<void> {
    return this.core.dispatcher.flush(deadline);
  }

  get root(): Logger {
    return this.ancestor ?? this;
  }

  get levels(): Levels {
    return this.core.levels;
  }

  get pino(): PinoLogger {
    const enabled = (level: Level): boolean => this.enabled(level);
    return (this.#pino ??= pinoFor(new PinoEvents(this.core, this, enabled)));
  }

  /** Gives the later events of the whole tree to a follower, besides the sinks; returns what ends that. */
  follow(follower: EventFollower): () => void {
    return this.core.dispatcher.follow(follower);
  }

  async close(deadline?: Deadline): Promise<void> {
    if (this.ancestor !== undefined)
      throw new Error('logx: only the root logger can be closed, not its children');
    this.core.levels.silence();
    await this.core.dispatcher.close(deadline);
  }

  /**
   * Closes the sinks of the whole tree at the end of its app. Later events are written to standard error.
   *
   * @throws Error if a sink cannot be closed or loses lines.
   */
  retire(): Promise<void> {
    return this.core.dispatcher.retire();
  }

  private logCall({ level, boundary }: LogCall, form: CallForm): void {
    const { template = '', text, args, error, fields } = form;
    const isLiteral = text !== undefined;
    this.core.log(this, { level, boundary, error, fields }, text ?? template, args, isLiteral);
  }

  private child(names: readonly string[], values: readonly unknown[]): EventLogger {
    const { core, scope, stackTrace } = this;
    let path = this.path;
    for (let i = 0; i < names.length; i++) {
      const name = values[i];
      if (typeof name === 'string' && LEVEL_FIELDS.has(names[i]!)) path = { name, outer: path };
    }
    const inner = core.scopeBelow(scope, names, values);
    const child = new EventLogger(core, inner, path, stackTrace, this.ancestor ?? this);
    // The same path has the same level.
    if (path === this.path) {
      child.minimum = this.minimum;
      child.version = this.version;
    }
    return child;
  }
}

/** The methods that log: an event's caller is the caller of one of them. */
const METHODS: Readonly<Record<LevelMethod | 'write' | 'writeOwn', Boundary>> =
  EventLogger.prototype;

/** A call of each method that has neither an error nor fields. */
const CALLS: Readonly<Record<LevelMethod, LogCall>> = {
  verbose: callOf(Level.Verbose, METHODS.verbose),
  debug: callOf(Level.Debug, METHODS.debug),
  information: callOf(Level.Information, METHODS.information),
  info: callOf(Level.Information, METHODS.info),
  log: callOf(Level.Information, METHODS.log),
  warning: callOf(Level.Warning, METHODS.warning),
  warn: callOf(Level.Warning, METHODS.warn),
  error: callOf(Level.Error, METHODS.error),
  fatal: callOf(Level.Fatal, METHODS.fatal),
};

/** The text of an event without a template. */
function textOf(text: unknown, error: unknown): unknown {
  if (text !== undefined) return text;
  return error === undefined || error === null ? '' : textOfThrown(error);
}

function callOf(level: Level, boundary: Boundary): LogCall {
  return { level, boundary, error: undefined, fields: undefined };
}
