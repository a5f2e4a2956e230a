import { answerOf } from '@apix/calls/internal-nest';
import { Code, codeName } from '@apix/contracts';
import { isReadableError } from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import type { ContextSubject, MessageSubject, WorkName } from '../context/work.js';
import { unitInContext } from '../context/work-storage.js';
import { keepsEvents } from '../levels/level-tree.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { type CodeName, levelOfCode } from '../request/code-level.js';
import { levelOf } from '../request/level-rules.js';
import type { MessageLogSettings } from '../request/message-options.js';
import { RequestRecord } from '../request/request-record.js';
import type { RequestSampler } from '../request/request-sampler.js';
import { patternOf } from './message-pattern.js';

/** The template of the event of a message. */
const MESSAGE_TEMPLATE = 'message {Pattern} -> {Code}';

/** What the events of all messages share. */
export interface MessageLogParts {
  readonly settings: MessageLogSettings;
  readonly sampler: RequestSampler;
}

/** A message under way, for its one event. */
export class MessageRecord extends RequestRecord {
  private isEnded = false;

  /** @param parts undefined if messages have no events. */
  constructor(
    logger: Logger,
    private readonly message: MessageSubject,
    private readonly parts: MessageLogParts | undefined,
  ) {
    super(logger);
    if (!keepsEvents(logger.levels)) return;
    this.open();
    this.join(unitInContext());
  }

  protected override get named(): WorkName {
    return { kind: 'message', name: this.handler ?? '' };
  }

  override get subject(): ContextSubject {
    return { message: this.message };
  }

  /** It was handled, or the sender did not wait for the end. */
  end(code: Code.OK | Code.CANCELLED): void {
    if (!this.isEnded) this.#write(code, levelOfCode(code), true);
  }

  endFailed(error: unknown): void {
    if (this.isEnded) return;
    this.fail(error);
    const { error: status, expected } = answerOf(error, 'rpc');
    // An RpcException without a code, such as that of a guard.
    const isMeant = expected && status.code === Code.UNKNOWN;
    this.#write(status.code, isMeant ? Level.Warning : levelOfCode(status.code), expected);
  }

  /** An unexpected failure has its error in this event, or else in one of its own. */
  #write(code: Code, usual: Level, isExpected: boolean): void {
    this.isEnded = true;
    if (this.dependsOnWork) runWork(this, () => this.#writeEvent(code, usual, isExpected));
    else this.#writeEvent(code, usual, isExpected);
  }

  #writeEvent(code: Code, usual: Level, isExpected: boolean): void {
    const { parts, durationMs, failure, message, handler } = this;
    this.settle({ hasFailed: usual === Level.Error, durationMs });
    if (parts === undefined) return;
    const name = codeName(code) as CodeName;
    const pattern = patternOf(message.context);
    const error = failure?.error;
    const level = levelOf(parts.settings.rules, {
      record: this,
      isProbe: false,
      isStream: false,
      outcome: { message, pattern, code: name, durationMs, handler, error, level: usual },
    });
    if (level === 'off') return;
    const isError = failure !== undefined && (!isExpected || usual === Level.Error);
    const standsFor = failure === undefined ? this.#standsFor(parts, level, durationMs) : undefined;
    if (standsFor === 0) return;
    if (isError) failure.reported = this.logger.enabled(level);
    const logger =
      isError && isReadableError(error) ? this.events.withStackTrace(true) : this.events;
    logger.write({
      level,
      template: MESSAGE_TEMPLATE,
      args: [pattern, name],
      fields: { ...this.extra, code: name, duration_ms: durationMs, stands_for: standsFor },
      error: isError ? error : undefined,
    });
  }

  #standsFor({ sampler }: MessageLogParts, level: Level, durationMs: number): number | undefined {
    if (level > Level.Information || !this.logger.enabled(level)) return undefined;
    const route = (): string => patternOf(this.message.context);
    const isStream = (): boolean => false;
    return sampler.standsFor({ record: this, handler: this.handler, route, durationMs, isStream });
  }
}
