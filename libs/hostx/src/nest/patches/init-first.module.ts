import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** Runs `begin` before the init hook of any module, in apps, microservices and application contexts. */
@Injectable()
export class InitFirst implements OnModuleInit {
  #begin = async (): Promise<void> => {};

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    // Nest initialises the modules one by one, greatest distance first; global ones have the largest number.
    // Why: docs/decisions/0228
    for (const module of modules.values()) {
      if (module.metatype === InitFirstModule) module.distance = Infinity;
    }
  }

  onInit(begin: () => Promise<void>): void {
    this.#begin = begin;
  }

  async onModuleInit(): Promise<void> {
    await this.#begin();
  }
}

/** Contains only the provider that is initialised first. */
@Module({ providers: [InitFirst], exports: [InitFirst] })
export class InitFirstModule {}
