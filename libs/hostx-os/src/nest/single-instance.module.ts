import { CloseLast } from '@apix/contracts';
import { CLOSE_LAST_MODULE } from '@apix/contracts/nest';
import { ConfigurableModuleBuilder, Inject, Injectable, Module } from '@nestjs/common';
import {
  type InstanceLock,
  type InstanceLockOptions,
  acquireInstanceLock,
} from '../single/acquire-instance-lock.js';
import { defaultLockPath } from '../single/default-lock-path.js';

import { SINGLE_INSTANCE_OPTIONS } from './tokens.js';

/** Either a name for the default path, or a path. */
export type SingleInstanceModuleOptions = InstanceLockOptions &
  ({ readonly name: string } | { readonly path: string });

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<SingleInstanceModuleOptions>({
  optionsInjectionToken: SINGLE_INSTANCE_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createSingleInstanceOptions')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/** The lock, held from the construction on; inject it into whatever must not be opened twice. */
@Injectable()
@CloseLast()
export class SingleInstance implements CloseLast {
  private readonly lock: InstanceLock;

  constructor(@Inject(SINGLE_INSTANCE_OPTIONS) options: SingleInstanceModuleOptions) {
    this.lock = acquireInstanceLock(
      'path' in options ? options.path : defaultLockPath(options.name),
      options,
    );
  }

  closeLast(): void {
    this.lock.release();
  }
}

/**
 * Allows one instance of the app on this machine: a second one does not start, and its error names the
 * process that holds the lock. The lock is released when the host has stopped everything else; without a
 * host, when the app has.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [CLOSE_LAST_MODULE],
  providers: [SingleInstance],
  exports: [SingleInstance],
})
export class SingleInstanceModule extends ConfigurableModuleClass {}
