import { Code, type Clock, StatusError } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import { describeFilter } from '../cel/filter/describe-filter.js';
import { type ListFilter, mayList } from '../cel/filter/list-filter.js';
import { constantFilter, filterFor, type MethodLists } from '../conditions/method-lists.js';
import { internalError } from '../errors.js';
import type { Subject } from '../subject/subject.js';
import type { BegunCall, GivenRecord, ListFinding } from './admission.js';
import { foreignRequest } from './condition-denial.js';
import { isMessageOf } from './decide-record.js';
import type { Denial } from './decision.js';

/** The filter of one call of a method that lists records, and whether its handler has asked for it. */
export class ListCall {
  readonly #lists: MethodLists;
  readonly #clock: Clock;
  readonly #subject: Subject;
  #filter: ListFilter | undefined;
  #isAsked = false;

  /** Throws what getters of the subject throw. */
  constructor(lists: MethodLists, clock: Clock, subject: Subject) {
    this.#lists = lists;
    this.#clock = clock;
    this.#subject = subject;
    if (!lists.readsRequest) this.#plan(undefined);
  }

  /** The filter, for the handler; of nothing where the request that it reads has not come. */
  get filter(): ListFilter {
    this.#isAsked = true;
    return this.#filter ?? constantFilter(this.#lists, 'nothing');
  }

  /** Null: the request is one that the filter can be made of. */
  readRequest(request: unknown): Denial | null {
    if (!this.#lists.readsRequest) return null;
    if (!isMessageOf(this.#lists.input, request)) {
      const { reason, cause } = foreignRequest();
      return { reason, error: denied(cause) };
    }
    try {
      this.#plan(request);
      return null;
    } catch (error) {
      return { reason: 'condition_error', error: internalError(error) };
    }
  }

  /** Null: the handler has asked for the filter, so that it may answer. */
  decideAnswer(): Denial | null {
    if (this.#isAsked) return null;
    return { reason: 'no_filter', error: internalError(unasked(this.#lists)) };
  }

  /** In shadow mode: one report a call is enough. */
  excuse(): void {
    this.#isAsked = true;
  }

  #plan(request: Message | undefined): void {
    const now = this.#clock.now();
    this.#filter = filterFor(this.#lists, { request, subject: this.#subject, now });
  }
}

/** For an entry point whose handlers cannot ask for the filter. */
export function noFilterDenial({ method }: MethodLists): Denial {
  const cause = new Error(
    `authz: ${method} lists records, and here is no handler that could ask for its filter; call listFilter() of the Authorizer`,
  );
  return { reason: 'no_filter', error: denied(cause) };
}

function unasked({ method, view }: MethodLists): Error {
  return new Error(
    `authz: the handler of ${method} did not ask for its filter, so nothing that it answers is sent; give it a parameter ` +
      `with @CurrentFilter(), or call currentFilter(), and list only records of ${view.type} that the filter lets through`,
  );
}

function denied(cause: Error): StatusError {
  return new StatusError(Code.PERMISSION_DENIED, 'permission denied', { cause });
}

/**
 * A call that was begun, of a method that lists records.
 *
 * @param settle counts and reports a decision, and returns the error for the caller, or null.
 */
export function listingCall(
  begun: BegunCall,
  list: ListCall,
  settle: (denial: Denial) => Error | null,
): BegunCall {
  const end = (denial: Denial | null): void => {
    const error = denial === null ? null : settle(denial);
    if (error !== null) throw error;
  };
  const read = (request: unknown): void => end(list.readRequest(request));
  const answer = (): void => {
    end(list.decideAnswer());
    list.excuse();
  };
  return {
    subject: begun.subject,
    get resource() {
      return begun.resource;
    },
    get filter() {
      return list.filter;
    },
    onMessage: (request) => {
      const decided = begun.onMessage?.(request);
      return decided instanceof Promise ? decided.then(() => read(request)) : read(request);
    },
    onNoMessage: () => begun.onNoMessage?.(),
    onSend: answer,
  };
}

/** In shadow mode, which changes no answer: every record passes, for whatever caller. */
export function unfilteredCall(begun: BegunCall, lists: MethodLists): BegunCall {
  const everything = constantFilter(lists, 'everything');
  return Object.create(begun, {
    filter: {
      get: () => {
        void begun.filter;
        return everything;
      },
    },
  }) as BegunCall;
}

/** The filter for a subject and a request that are given. */
export function givenFilter(
  lists: MethodLists,
  clock: Clock,
  subject: Subject,
  record: GivenRecord | undefined,
): ListFilter {
  const request = record?.request;
  if (lists.readsRequest && !isMessageOf(lists.input, request)) throw foreignRequest().cause;
  return filterFor(lists, { request, subject, now: clock.now() });
}

/** What a subject may see of a list. */
export function listFinding(
  lists: MethodLists,
  clock: Clock,
  subject: Subject,
  record: GivenRecord | undefined,
): ListFinding {
  const { type } = lists.view;
  if (lists.readsRequest && record?.request === undefined) {
    return { type, filter: lists.view.where };
  }
  const filter = givenFilter(lists, clock, subject, record);
  const listed = record?.listed;
  return {
    type,
    filter: describeFilter(filter.where),
    ...(listed !== undefined && {
      shows: isMessageOf(lists.desc, listed) && mayList(filter, listed),
    }),
  };
}
