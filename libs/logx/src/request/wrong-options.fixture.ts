import { OptionsError } from '@apix/contracts';

/** Wrong options of both doors, and what is said of them. */
const WRONG_DOOR: readonly [never, string[]][] = [
  [{ field: '' } as never, ['field: must be a non-empty string, not ""']],
  [{ field: 7 } as never, ['field: must be a non-empty string, not 7']],
  [{ idGenerator: 'uuid' } as never, ['idGenerator: must be a function, not "uuid"']],
  [
    { skipProbes: '/healthz' } as never,
    ['skipProbes: must be true, false or an array of paths, not "/healthz"'],
  ],
  [
    { skipProbes: ['healthz', 1] } as never,
    [
      'skipProbes[0]: must be a path that starts with "/", not "healthz"',
      'skipProbes[1]: must be a path that starts with "/", not 1',
    ],
  ],
  [{ probes: 'none' } as never, ['probes: must be one of "all", "debug", "off", not "none"']],
  [
    { probes: 'off', skipProbes: false } as never,
    ['skipProbes: cannot be given together with probes'],
  ],
  [
    { slow: 'soon' } as never,
    [
      'slow: "soon" is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"',
    ],
  ],
  [{ fields: {} } as never, ['fields: must be a function, not an object']],
  [{ levels: 'info' } as never, ['levels: must be an object or a function, not "info"']],
];

export const WRONG_HTTP: readonly [never, string[]][] = [
  [{ header: 'X Id' } as never, ['header: must be the name of an HTTP header, not "X Id"']],
  [{ skip: true } as never, ['skip: must be a function, not true']],
  [{ startLog: 'yes' } as never, ['startLog: must be true or false, not "yes"']],
  [{ probePaths: 'ready' } as never, ['probePaths: must be an array of paths, not "ready"']],
  [
    { levels: { 700: 'info', 404: 'quiet' } } as never,
    [
      'levels.404: unknown level "quiet"; use one of trace, debug, info, warn, error, fatal, verbose, information, warning',
      'levels.700: is not a status, such as 404 or "4xx"',
    ],
  ],
  [
    { requestHeaders: true } as never,
    ['requestHeaders: must be "all" or an array of names, not true'],
  ],
  [{ reqLog: 'log' } as never, ['reqLog: must be true or false, not "log"']],
  [{ header: 5 } as never, ['header: must be the name of an HTTP header, not 5']],
  [true as never, ['must be an object, not true']],
  [null as never, ['must be an object, not null']],
  ...WRONG_DOOR,
];

export const WRONG_GRPC: readonly [never, string[]][] = [
  ...['x id', '', 'grpc-id', 'id-bin', 5].map((metadataKey): [never, string[]] => [
    { metadataKey } as never,
    [
      'metadataKey: must be the name of a text entry of gRPC metadata, such as "x-request-id", not ' +
        JSON.stringify(metadataKey),
    ],
  ]),
  [
    { levels: { 5: 'info', NOT_THERE: 'info' } } as never,
    [
      'levels.5: is not a code of gRPC, such as NOT_FOUND',
      'levels.NOT_THERE: is not a code of gRPC, such as NOT_FOUND',
    ],
  ],
  ['on' as never, ['must be an object, not "on"']],
  [null as never, ['must be an object, not null']],
  ...WRONG_DOOR,
];

/** The mistakes of the OptionsError that is thrown; what else happens, as text. */
export function mistakesOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof OptionsError ? error.mistakes : error;
  }
  return 'nothing was thrown';
}
