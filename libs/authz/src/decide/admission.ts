import type { PolicyView, StatusDetail } from '@apix/contracts';
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { ListFilter } from '../cel/filter/list-filter.js';
import type { RuleFinding } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import type { ConditionFinding } from '../conditions/condition-findings.js';
import type { AllowReason, DenyReason } from './decision.js';

/** That a call may pass, and for whom; undefined where no subject was asked for. */
export interface Admission {
  readonly subject: Subject | null | undefined;
  /** The record that conditions have read; undefined if none has read one. */
  readonly resource?: Message | undefined;
  /** Which records a list may show. To read it is to ask for it; undefined if the method lists none. */
  readonly filter?: ListFilter | undefined;
}

/**
 * A call whose caller was admitted, and what is left to decide about its requests, one after the other. Its functions
 * throw a StatusError, or reject with it, if the call is denied.
 */
export interface BegunCall extends Admission {
  /** Decides about a request. Undefined: no condition has to be met. */
  readonly onMessage?: ((request: unknown) => void | Promise<void>) | undefined;
  /** Decides about a stream that ended without a request. */
  readonly onNoMessage?: (() => void) | undefined;
  /** Decides about an answer, before any of it is sent: a list whose handler has not read `filter` sends none. */
  readonly onSend?: (() => void) | undefined;
  /**
   * An answer as the caller may see it: itself, or a copy; the given one does not change. Throws for one that cannot be
   * looked into, which must not be sent. Undefined: answers have nothing to hide.
   */
  readonly onAnswer?: ((message: unknown) => unknown) | undefined;
  /** The details of the call's status as the caller may see them. Undefined: there is nothing to hide. */
  readonly onDetails?: ((details: readonly StatusDetail[]) => readonly StatusDetail[]) | undefined;
}

/** A caller that was admitted to a handler whose conditions are still to decide about what the handler gets. */
export interface HandlerAdmission extends BegunCall {
  /**
   * Decides about a request, which `read` makes of what the handler gets. The result is to be called in the turn in which
   * the handler starts: it reads again, and returns the record, or throws the StatusError of a call that is denied or
   * has changed. Undefined: no condition has to be met.
   */
  readonly decideOnce?: ((read: () => Message) => Promise<() => Message | undefined>) | undefined;
}

/** A request, and the record that it is about, for conditions. */
export interface GivenRecord {
  /** A message of the method's input type. */
  readonly request: Message;
  /** A message of the type that the method declares. Default: there is none. */
  readonly resource?: Message | undefined;
  /** A record of the type that the method lists. Default: none; it is not said whether the list shows it. */
  readonly listed?: Message | undefined;
}

/** The types of a {@link GivenRecord}. */
export interface RecordTypes {
  readonly input: DescMessage;
  /** Undefined: no condition reads a record. */
  readonly resource: DescMessage | undefined;
  /** Undefined: the method lists no records. */
  readonly listed: DescMessage | undefined;
}

/** What a method requires, and whether one subject meets it. */
export interface Explanation {
  readonly method: string;
  readonly allowed: boolean;
  readonly reason: AllowReason | DenyReason;
  readonly policy: PolicyView | undefined;
  /** Every list of the rules, passed or not; empty where no rule was looked at. */
  readonly findings: readonly RuleFinding[];
  /**
   * Every condition, with the values that it reads; empty where none was looked at. It shows the request and the
   * record: for operators, not for callers.
   */
  readonly conditions: readonly ConditionFinding[];
  /** What the subject may see of a list; undefined if the method lists no records, or the subject may not call it. */
  readonly list?: ListFinding | undefined;
}

/** What a subject may see of a list. For operators, not for callers. */
export interface ListFinding {
  /** The full name of the message of a record. */
  readonly type: string;
  /** The filter in words, such as `customer == "ada"`, `everything` or `nothing`. */
  readonly filter: string;
  /** Whether the list shows the given record; undefined: none was given. */
  readonly shows?: boolean | undefined;
}
