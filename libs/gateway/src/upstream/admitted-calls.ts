import type { CallMethod } from '@apix/contracts';
import type { CallTransport } from '@apix/grpc-client/transport';
import type { Call, CallHead, CallListener } from '@apix/calls';
import { callMethodOf } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';
import { CallOnceAdmitted } from './admitted-call.js';
import type { CallAdmission } from './call-admission.js';
import { PassingTransport } from './passing-transport.js';

/** Makes the calls over a network that an admission in this process allows. */
export class AdmittedCalls extends PassingTransport {
  readonly #admission: CallAdmission;
  /** As many as there are methods. */
  readonly #methods = new Map<DescMethod, CallMethod>();

  constructor(transport: CallTransport, admission: CallAdmission) {
    super(transport);
    this.#admission = admission;
  }

  override open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    const call = new CallOnceAdmitted(this.transport, head, listener);
    call.begin(this.#admission, this.#methodOf(head.method));
    return call;
  }

  #methodOf(desc: DescMethod): CallMethod {
    let method = this.#methods.get(desc);
    if (method === undefined) this.#methods.set(desc, (method = callMethodOf(desc)));
    return method;
  }
}
