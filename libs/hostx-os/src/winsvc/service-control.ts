/** The numbers of winsvc.h that a service deals in. */
export const STATE = { STOPPED: 1, START_PENDING: 2, STOP_PENDING: 3, RUNNING: 4 } as const;

export type StateName = keyof typeof STATE;

export const CONTROL = {
  STOP: 1,
  INTERROGATE: 4,
  SHUTDOWN: 5,
  PARAMCHANGE: 6,
  PRESHUTDOWN: 15,
} as const;

/** The controls that a running service accepts; a pending one accepts none. */
export const ACCEPT = { STOP: 1, SHUTDOWN: 4, PARAMCHANGE: 8 } as const;

export const NO_ERROR = 0;
export const ERROR_CALL_NOT_IMPLEMENTED = 120;
/** Says that the specific exit code counts. */
export const ERROR_SERVICE_SPECIFIC_ERROR = 1066;
const SERVICE_WIN32_OWN_PROCESS = 0x10;

/** SERVICE_STATUS, field by field. */
export interface WindowsServiceStatus {
  readonly dwServiceType: number;
  readonly dwCurrentState: number;
  readonly dwControlsAccepted: number;
  readonly dwWin32ExitCode: number;
  readonly dwServiceSpecificExitCode: number;
  readonly dwCheckPoint: number;
  /** Milliseconds. */
  readonly dwWaitHint: number;
}

export interface StatusReport {
  readonly state: StateName;
  /** Grows with every report of one pending state; 0 elsewhere. */
  readonly checkpoint?: number;
  /** How long until the next report at most, in milliseconds. */
  readonly waitHint?: number;
  /** 0 for a clean end. */
  readonly exitCode?: number;
}

/** What is reported to the service control manager. */
export function serviceStatus(report: StatusReport): WindowsServiceStatus {
  const { state, checkpoint = 0, waitHint = 0, exitCode = 0 } = report;
  const { STOP, SHUTDOWN, PARAMCHANGE } = ACCEPT;
  return {
    dwServiceType: SERVICE_WIN32_OWN_PROCESS,
    dwCurrentState: STATE[state],
    dwControlsAccepted: state === 'RUNNING' ? STOP | SHUTDOWN | PARAMCHANGE : 0,
    dwWin32ExitCode: exitCode === 0 ? NO_ERROR : ERROR_SERVICE_SPECIFIC_ERROR,
    dwServiceSpecificExitCode: exitCode,
    dwCheckPoint: checkpoint,
    dwWaitHint: waitHint,
  };
}
