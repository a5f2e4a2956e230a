import { ProtoRegistry } from '@apix/proto';
import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { type ValidationOptions, validationStage } from '../validation/validation-stage.js';

/** Token of the call stage, which the gRPC server finds by itself. */
export const VALIDATION_STAGE = Symbol.for('apix.grpc.ValidationStage');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ValidationOptions>().setClassMethodName('forRoot').build();

/**
 * Holds every request message against the `buf.validate` rules of its descriptors, which come
 * from `ProtoModule`. The app does not start while a rule cannot work.
 */
@Module({
  providers: [
    {
      provide: VALIDATION_STAGE,
      inject: [ProtoRegistry, MODULE_OPTIONS_TOKEN],
      useFactory: validationStage,
    },
  ],
})
export class ValidationModule extends ConfigurableModuleClass {
  static override forRoot(
    options: Parameters<typeof ConfigurableModuleClass.forRoot>[0] = {},
  ): DynamicModule {
    return super.forRoot(options);
  }
}
