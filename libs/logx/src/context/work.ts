import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { CallContext } from '@apix/contracts';
import { type BufferBounds, EventBuffer } from '../event/event-buffer.js';
import type { Level } from '../levels/level.js';
import type { LeveledUnit, LeveledWork } from '../levels/work-levels.js';
import type { Logger } from '../logger/logger.js';
import { changedMembers } from '../value/changed-members.js';
import { membersOf } from '../value/members-of.js';

/** The origin of the work under way. Empty for work of the process itself. */
export interface ContextSubject {
  /** The raw HTTP request; the one of `node:http` on Fastify too. */
  readonly request?: IncomingMessage | undefined;
  /** The gRPC call, including one that a gateway of this process makes for `request`. */
  readonly call?: CallContext | undefined;
  /** A message of Nest's microservices. */
  readonly message?: MessageSubject | undefined;
}

/** A message that a handler of `@MessagePattern` or `@EventPattern` gets. */
export interface MessageSubject {
  /** Its values. */
  readonly data: unknown;
  /** Nest's context of its transport, such as a `KafkaContext`. */
  readonly context: unknown;
}

/** Work that is under way. */
export interface Work {
  readonly logger: Logger;
  /** The record of the request to which the work belongs. */
  readonly request: object | undefined;
  /** The unit to which the work belongs; fields can be added to its events. */
  readonly unit: UnitOfWork;
}

/** How a unit of work ended. */
export interface WorkEnd {
  readonly hasFailed: boolean;
  readonly durationMs: number;
  /** Whether the caller determines the duration. Default: no. */
  readonly isStream?: (() => boolean) | undefined;
}

type Assigned = Readonly<Record<string, unknown>>;

const NOBODY: ContextSubject = {};

/** What a unit of work is, for rules of levels. */
export type WorkName = Pick<LeveledWork, 'kind' | 'name'>;

const OTHER: WorkName = { kind: 'other', name: '' };
const NO_FIELDS: Assigned = {};

/** A request, a message, a run of a job: fields can be added to its events while it runs. */
export class UnitOfWork implements Work, LeveledUnit {
  ruleVersion = -1;
  ruleLevel: Level | undefined;
  /** The unit whose events it keeps with its own. */
  private part: UnitOfWork | undefined;
  /** Whether its end will be known, and is not yet, so that events are kept until then. */
  keepsEvents = false;
  private buffer: EventBuffer | undefined;
  private slowMs = Infinity;
  /** Undefined until it is asked for; until then it is that of the base, with the unit's own fields. */
  protected current: Logger | undefined;
  private given: Assigned | undefined;

  /** @param outer the record of the request that it is a part of. */
  constructor(
    protected readonly base: Logger,
    private readonly outer?: object,
    private readonly asked: ContextSubject = NOBODY,
  ) {}

  /** What it is. */
  protected get named(): WorkName {
    return OTHER;
  }

  protected get trace(): string | undefined {
    return undefined;
  }

  /** The fields that are known of it in addition to those that were assigned. */
  protected get knownFields(): Assigned {
    return NO_FIELDS;
  }

  get leveled(): LeveledWork {
    const { kind, name } = this.named;
    const fields = { ...this.knownFields, ...this.given };
    return { kind, name, traceId: this.trace, fields, ...this.subject };
  }

  /** Asks the rules of levels again. */
  protected fieldsChanged(): void {
    this.ruleVersion = -1;
  }

  /** The events that were kept of it, or of the work that it is a part of. */
  bufferFor(settings: BufferBounds & { readonly slow: number | undefined }): EventBuffer {
    const { holder } = this;
    holder.slowMs = settings.slow ?? Infinity;
    return (holder.buffer ??= new EventBuffer(settings));
  }

  flushBuffer(): void {
    this.holder.buffer?.flush();
  }

  /** Writes the events that were kept if the work has failed or was slow, and then forgets its own. */
  settle({ hasFailed, durationMs, isStream }: WorkEnd): void {
    if (!this.keepsEvents) return;
    const { holder } = this;
    this.keepsEvents = false;
    const { buffer } = holder;
    if (buffer === undefined) return;
    if (hasFailed || (durationMs > holder.slowMs && isStream?.() !== true)) buffer.flush();
    if (holder === this) this.buffer = undefined;
  }

  /** Its end will be reported. */
  open(): void {
    this.keepsEvents = true;
  }

  /** Its events are kept with those of the work in which it runs, in one order. */
  join(outer: UnitOfWork | undefined): void {
    if (outer?.holdsParts === true) this.part = outer;
  }

  /** Whether events of units inside of it are kept with its own. */
  protected get holdsParts(): boolean {
    return this.keepsEvents;
  }

  private get holder(): UnitOfWork {
    const { part } = this;
    return part?.keepsEvents === true ? part.holder : this;
  }

  get logger(): Logger {
    return (this.current ??= this.withOwnFields(this.base));
  }

  get request(): object | undefined {
    return this.outer;
  }

  get unit(): this {
    return this;
  }

  get subject(): ContextSubject {
    return this.asked;
  }

  /** All that was assigned so far; another object after each time. */
  get assigned(): Assigned | undefined {
    return this.given;
  }

  /** Adds fields to all later events of the work. */
  assign(fields: Assigned): void {
    this.given = { ...this.given, ...Object.fromEntries(membersOf(fields)) };
    this.fieldsChanged();
    // Why: docs/decisions/0258
    this.current = this.withOwnFields(this.base).forContextValues(this.given);
  }

  /** The logger, created when it is needed: most requests log only their own event. */
  protected withOwnFields(base: Logger): Logger {
    return base;
  }
}

/** A part of a unit of work that runs with its own logger. */
export class InnerWork implements Work {
  readonly #before: Assigned | undefined;
  #seen: Assigned | undefined;
  #logger: Logger;

  constructor(
    private readonly own: Logger,
    readonly unit: UnitOfWork,
  ) {
    this.#before = this.#seen = unit.assigned;
    this.#logger = own;
  }

  get request(): object | undefined {
    return this.unit.request;
  }

  /** With the fields assigned since; earlier ones are up to the code that created the logger. */
  get logger(): Logger {
    const { assigned } = this.unit;
    if (assigned !== this.#seen) {
      this.#seen = assigned;
      this.#logger = this.own.forContextValues(changedMembers(this.#before, assigned));
    }
    return this.#logger;
  }
}

/** The work under way. */
// Why: docs/decisions/0092
export const storage = new AsyncLocalStorage<Work>();

/** The unit of work under way; undefined outside of any. */
export function unitInContext(): UnitOfWork | undefined {
  return storage.getStore()?.unit;
}
