import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/**
 * Runs `stop` before the destroy hook of any module. For Nest 11, whose `app.close()` begins with
 * these hooks and calls nothing of the adapter before them; with Nest 12 the stop has run by then.
 */
@Injectable()
export class CloseFirst implements OnModuleDestroy {
  readonly #stops: (() => Promise<void>)[] = [];

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    // Nest destroys the modules one by one, least distance first; the root's is 0 or more.
    // Why: docs/decisions/0053
    for (const module of modules.values()) {
      if (module.metatype === CloseFirstModule) module.distance = -1;
    }
  }

  onClose(stop: () => Promise<void>): void {
    this.#stops.push(stop);
  }

  async onModuleDestroy(): Promise<void> {
    for (const stop of this.#stops) await stop();
  }
}

/** Contains only the provider that is destroyed first. */
@Module({ providers: [CloseFirst], exports: [CloseFirst] })
export class CloseFirstModule {}
