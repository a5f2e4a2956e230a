import { mistakesText } from '@apix/contracts';

/** What the gateway server was told to do and cannot; lists every mistake. */
export class GatewayServerError extends Error {
  override readonly name = 'GatewayServerError';

  constructor(
    /** Each names its option, as `--backend` or `gateway.yaml: backend`. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText('gateway-server', mistakes), options);
  }
}
