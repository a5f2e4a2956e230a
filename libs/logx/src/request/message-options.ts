import type { Duration, Mistakes } from '@apix/contracts';
import { type OptionTable, readOptions } from '@apix/contracts/internal';
import type { MessageSubject } from '../context/work.js';
import { type CodeName, codeLevels } from './code-level.js';
import { DOOR_OPTIONS, type DoorSettings, doorSettings } from './door-options.js';
import type { LoggedOutcome } from './level-rules.js';
import type { RequestLevel } from './request-level.js';
import type { RequestSample } from './request-sample.js';

/** How a message of Nest's microservices was handled. */
export interface MessageOutcome extends LoggedOutcome {
  readonly message: MessageSubject;
  /** What it was sent to: a pattern, subject, channel or topic. */
  readonly pattern: string;
  /** OK, the code of the error that was thrown, or CANCELLED if the sender did not wait for the end. */
  readonly code: CodeName;
}

/** Options of the events of messages. */
export interface MessageLogOptions {
  /**
   * Levels by code, `{ OK: 'debug', NOT_FOUND: 'off' }`, or a function of the outcome; if it throws, the
   * level stays as it is. Default: information for OK, warning for codes that the sender can avoid and for an
   * RpcException, else error.
   */
  readonly levels?:
    | Readonly<Partial<Record<CodeName, RequestLevel>>>
    | ((outcome: MessageOutcome) => RequestLevel | undefined)
    | undefined;
  /** Messages that take longer are at least warnings. Default: no message counts as slow. */
  readonly slow?: Duration | undefined;
  /**
   * Writes the events of one in this many successful messages, by handler, as for requests. Default: all are
   * written.
   */
  readonly sample?: number | RequestSample | undefined;
}

export type MessageLogSettings = DoorSettings<unknown, MessageOutcome>;

/** The allowed values of each option of the events of messages. */
export const MESSAGE_LOG_OPTIONS = {
  levels: codeLevels<MessageOutcome>(),
  slow: DOOR_OPTIONS.slow,
  sample: DOOR_OPTIONS.sample,
} satisfies OptionTable<MessageLogOptions>;

/** @param at where the options are, for the mistakes. */
export function readMessageOptions(
  options: MessageLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): MessageLogSettings {
  const given = options === undefined ? {} : options;
  const { levels, slow, sample } = readOptions(MESSAGE_LOG_OPTIONS, given, at, mistakes);
  return doorSettings({ slow, sample }, { levels });
}
