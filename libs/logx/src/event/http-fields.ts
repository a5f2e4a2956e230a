/** The fields of the event of an HTTP request in addition to those of its template, in their order. */
export class HttpFields {
  readonly [name: string]: unknown;

  constructor(
    readonly status: number,
    readonly bytes: number,
    readonly remote: string,
    readonly duration_ms: number,
    readonly route: string | undefined,
    readonly handler: string | undefined,
    /** The method of the gRPC call that a gateway made for the request. */
    readonly method: string | undefined,
    readonly code: string | undefined,
    readonly user_agent: string | undefined,
    readonly ended: string | undefined,
    readonly stands_for: number | undefined,
  ) {}
}

/** The names of the fields that the event may have, including those of the template. */
export const HTTP_FIELD_NAMES: readonly string[] = [
  'Method',
  'Path',
  'Status',
  ...Object.keys(new HttpFields(0, 0, '', 0, '', '', '', '', '', '', 0)),
];

/** The upper bound of the length of all its texts together, in characters. */
export function textLengthOf(fields: HttpFields): number {
  const {
    remote,
    route = '',
    handler = '',
    method = '',
    code = '',
    user_agent: agent = '',
  } = fields;
  return remote.length + route.length + handler.length + method.length + code.length + agent.length;
}
