import type { IncomingMessage } from 'node:http';
import type { CallContext } from '@apix/contracts';
import type { Level } from '../levels/level.js';
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

type Assigned = Readonly<Record<string, unknown>>;

const NOBODY: ContextSubject = {};

/** A request, a message, a run of a job: fields can be added to its events while it runs. */
export class UnitOfWork implements Work {
  private current: Logger | undefined;
  private given: Assigned | undefined;

  /** @param outer the record of the request that it is a part of. */
  constructor(
    private readonly base: Logger,
    private readonly outer?: object,
    private readonly asked: ContextSubject = NOBODY,
  ) {}

  get logger(): Logger {
    return (this.current ??= this.withOwnFields(this.base));
  }

  /** Whether the logger exists; until then it is that of the base, with the unit's own fields. */
  protected get isCreated(): boolean {
    return this.current !== undefined;
  }

  /** The result of `logger.enabled`, for a unit whose own fields do not set a level. */
  isEnabled(level: Level): boolean {
    return (this.current ?? this.base).enabled(level);
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
