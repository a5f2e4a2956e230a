import { mistakesText } from '@apix/contracts/internal';

/** Settings or files that the gateway server cannot use; lists every mistake. */
export class GatewayServerError extends Error {
  override readonly name = 'GatewayServerError';

  constructor(
    /** Each mistake names its option, such as `--backend` or `gateway.yaml: backend`. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText('gateway-server', mistakes), options);
  }
}
