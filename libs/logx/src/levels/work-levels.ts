import type { IncomingMessage } from 'node:http';
import type { CallContext } from '@apix/contracts';
import { type Level, type LevelInput, toLevel } from './level.js';

/** Work under way, as rules of levels see it. */
export interface LeveledWork {
  /** The entry point or the kind of job. */
  readonly kind: 'http' | 'grpc' | 'message' | 'service' | 'task' | 'cron' | 'other';
  /** Method and path of a request, full name of a call, handler of a message, or name of a job. */
  readonly name: string;
  /** The id of the trace, if the work has one. */
  readonly traceId: string | undefined;
  /** The fields that were found for it or assigned to it, such as the caller's id. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The raw HTTP request; the one of `node:http` on Fastify too. */
  readonly request?: IncomingMessage | undefined;
  /** The gRPC call. */
  readonly call?: CallContext | undefined;
  /** The message of Nest's microservices. */
  readonly message?: unknown;
}

/** Chooses the level of the loggers in a piece of work; undefined leaves them as they are. */
export type LevelPredicate = (work: LeveledWork) => LevelInput | undefined;

/** A unit of work, with the level that the rules chose for it. */
export interface LeveledUnit {
  readonly leveled: LeveledWork;
  /** The version of the rules that chose `ruleLevel`; -1: none have been asked. */
  ruleVersion: number;
  ruleLevel: Level | undefined;
}

/** The rules of the levels by work, of a tree of loggers. */
export class WorkLevels {
  #rules: readonly LevelPredicate[] = [];
  #version = 0;

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** @returns a function that removes it. */
  add(predicate: LevelPredicate): () => void {
    // A function that was given twice is two rules.
    const rule: LevelPredicate = (work) => predicate(work);
    this.#change([...this.#rules, rule]);
    return () => this.#change(this.#rules.filter((each) => each !== rule));
  }

  /** The lowest level that a rule chooses; asked once per unit, and again after a change. */
  levelOf(unit: LeveledUnit): Level | undefined {
    if (unit.ruleVersion === this.#version) return unit.ruleLevel;
    // First, as a predicate may log.
    unit.ruleVersion = this.#version;
    unit.ruleLevel = undefined;
    const levels = this.#rules.map((rule) => chosenBy(rule, unit)).filter((it) => it !== undefined);
    return (unit.ruleLevel = levels.length === 0 ? undefined : (Math.min(...levels) as Level));
  }

  #change(rules: readonly LevelPredicate[]): void {
    this.#rules = rules;
    this.#version++;
  }
}

/** A predicate that throws, or returns what is not a level, leaves the level as it is. */
function chosenBy(rule: LevelPredicate, { leveled }: LeveledUnit): Level | undefined {
  try {
    const level = rule(leveled);
    return level === undefined ? undefined : toLevel(level);
  } catch {
    return undefined;
  }
}
