import { CloseLast, OptionsError, ownProcessMark } from '@apix/contracts';
import { CLOSE_LAST_MODULE, optionsModule } from '@apix/contracts/internal-nest';
import { checkedOptions, TEXT } from '@apix/contracts/internal';
import { Inject, Injectable, Module } from '@nestjs/common';
import {
  type InstanceLock,
  type InstanceLockOptions,
  acquireInstanceLock,
  LOCK_OPTIONS,
  requireLockOfParent,
} from '../single/acquire-instance-lock.js';
import { defaultLockPath } from '../single/default-lock-path.js';
import { SINGLE_INSTANCE_OPTIONS } from './tokens.js';

/** Either a name for the default path, or a path. */
export type SingleInstanceModuleOptions = InstanceLockOptions &
  ({ readonly name: string } | { readonly path: string });

const { ConfigurableModuleClass } = optionsModule<
  SingleInstanceModuleOptions,
  'createSingleInstanceOptions'
>({
  name: 'hostx-os: SingleInstanceModule',
  token: SINGLE_INSTANCE_OPTIONS,
  factoryMethod: 'createSingleInstanceOptions',
});

const MODULE_OPTIONS = { ...LOCK_OPTIONS, name: TEXT, path: TEXT };

/** The lock, held from the construction on; inject it into whatever must not be opened twice. */
@Injectable()
@CloseLast()
export class SingleInstance implements CloseLast {
  /** Null in one of several processes, whose parent holds it. */
  private readonly lock: InstanceLock | null;

  constructor(@Inject(SINGLE_INSTANCE_OPTIONS) options: SingleInstanceModuleOptions) {
    const { name, path, sharedFolder } = checkedOptions(
      MODULE_OPTIONS,
      options,
      (found) => new OptionsError('hostx-os: SingleInstanceModule', found),
      (read, mistakes) => {
        if ((read.name === undefined) === (read.path === undefined)) {
          mistakes.add('', 'needs either name or path');
        }
      },
    );
    const full = path ?? defaultLockPath(name!);
    if (ownProcessMark() === null) this.lock = acquireInstanceLock(full, { sharedFolder });
    else {
      requireLockOfParent(full);
      this.lock = null;
    }
  }

  closeLast(): void {
    this.lock?.release();
  }
}

/**
 * Allows one instance of the app on this machine: a second one does not start, and its error names the
 * process that holds the lock. The lock is released when the host has stopped everything else; without a
 * host, when the app has. Of an app in several processes, the parent has to hold it, by `acquireInstanceLock` in
 * `processes.parent`.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [CLOSE_LAST_MODULE],
  providers: [SingleInstance],
  exports: [SingleInstance],
})
export class SingleInstanceModule extends ConfigurableModuleClass {}
