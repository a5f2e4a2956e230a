import { type BoundCallStage, CallStage, Code, StatusError } from '@apix/contracts';
import { Injectable } from '@nestjs/common';

export const TENANT = Symbol('tenant');

@Injectable()
@CallStage()
export class TenantStage implements CallStage {
  readonly name = 'tenant';
  readonly #calls = new Map<string, number>();
  #minute = 0;

  bind(): BoundCallStage {
    return {
      onCall: ({ metadata, values }) =>
        void values.set(TENANT, this.#admit(metadata.get('x-tenant'))),
    };
  }

  #admit([tenant]: readonly string[]): string {
    if (tenant === undefined) throw new StatusError(Code.INVALID_ARGUMENT, 'x-tenant is missing');
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.#minute) this.#calls.clear();
    this.#minute = minute;
    const calls = (this.#calls.get(tenant) ?? 0) + 1;
    if (calls > 3) throw new StatusError(Code.RESOURCE_EXHAUSTED, 'more than 3 calls in a minute');
    this.#calls.set(tenant, calls);
    return tenant;
  }
}
