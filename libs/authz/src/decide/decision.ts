import type { CallDoor, StatusError } from '@apix/contracts';
import type { Subject } from '../subject/subject.js';

/** Why a call was allowed. */
export type AllowReason = 'public' | 'exempt' | 'unannotated' | 'passed';

/** Why a call was denied. */
export type DenyReason =
  | 'unknown_method'
  | 'unknown_door'
  | 'unannotated'
  | 'anonymous'
  | 'subject_error'
  | 'roles'
  | 'permissions';

interface Decided {
  readonly method: string;
  readonly door: CallDoor;
  /** Undefined where no subject was asked for. */
  readonly subject: Subject | null | undefined;
}

/** The decision about one call. */
export type Decision = Decided &
  (
    | { readonly allowed: true; readonly reason: AllowReason }
    | {
        readonly allowed: false;
        readonly reason: DenyReason;
        /** The error that the caller gets. */
        readonly error: StatusError;
        /** True in shadow mode: the call went through all the same. */
        readonly shadow: boolean;
      }
  );
