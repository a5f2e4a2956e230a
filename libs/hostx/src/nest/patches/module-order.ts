import {
  Inject,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** Nest initialises the modules one by one, greatest distance first, and destroys them in reverse. */
function setDistance(modules: ModulesContainer, type: Type, distance: number): void {
  for (const module of modules.values()) if (module.metatype === type) module.distance = distance;
}

/** Runs `begin` before the init hook of any module, in apps, microservices and application contexts. */
@Injectable()
export class InitFirst implements OnModuleInit {
  #begin = async (): Promise<void> => {};

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    // Global modules have the largest number. Why: docs/decisions/0228
    setDistance(modules, InitFirstModule, Infinity);
  }

  onInit(begin: () => Promise<void>): void {
    this.#begin = begin;
  }

  async onModuleInit(): Promise<void> {
    await this.#begin();
  }
}

/**
 * Runs `stop` before the destroy hook of any module. For Nest 11, whose `app.close()` begins with
 * these hooks and calls nothing of the adapter before them; with Nest 12 the stop has run by then.
 */
@Injectable()
export class CloseFirst implements OnModuleDestroy {
  #stop = async (): Promise<void> => {};

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    // That of the root is 0 or more. Why: docs/decisions/0053
    setDistance(modules, CloseFirstModule, -1);
  }

  onClose(stop: () => Promise<void>): void {
    this.#stop = stop;
  }

  async onModuleDestroy(): Promise<void> {
    await this.#stop();
  }
}

/** Contains only the provider that is initialised first. */
@Module({ providers: [InitFirst], exports: [InitFirst] })
export class InitFirstModule {}

/** Contains only the provider that is destroyed first. */
@Module({ providers: [CloseFirst], exports: [CloseFirst] })
export class CloseFirstModule {}
