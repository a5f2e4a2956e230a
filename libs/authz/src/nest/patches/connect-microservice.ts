import { onConnectedApart } from '@apix/calls/nest';
import type { ModuleRef } from '@nestjs/core';
import { PolicyError } from '../../errors.js';

/**
 * Makes `connectMicroservice` of this app throw if the microservice does not inherit the app's
 * configuration: Nest would run no global guard on it, silently, and let every call in.
 *
 * @returns for the module's destroy hook: releases the listener if there is no application.
 */
export function guardHybridApp(moduleRef: ModuleRef): () => void {
  return onConnectedApart(moduleRef, 'authz', {
    refuse: () => {
      throw new PolicyError([
        'connectMicroservice: pass { inheritAppConfig: true } as its second argument; without ' +
          'it Nest runs no global guard on the microservice, and every call would be let in',
      ]);
    },
  });
}
