import { optionsModule } from '@apix/contracts/internal-nest';
import { requiredProtos } from '@apix/proto';
import { type DynamicModule, Module } from '@nestjs/common';
import { type ValidationStageOptions, validationStage } from '../validation/validation-stage.js';
import { VALIDATION_OPTIONS, VALIDATION_PROTOS, VALIDATION_STAGE } from './tokens.js';

/** The options of ValidationModule: those of its stage. */
export type ValidationModuleOptions = ValidationStageOptions;

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  ValidationModuleOptions,
  'createValidationOptions'
>({
  name: 'grpc: ValidationModule',
  token: VALIDATION_OPTIONS,
  factoryMethod: 'createValidationOptions',
});

/**
 * Checks every request message against the `buf.validate` rules of its descriptors, which come
 * from `ProtoModule`. The app does not start while a rule cannot work. It provides nothing to other
 * modules, so that `isGlobal` changes nothing yet. Default: true.
 */
@Module({
  providers: [
    requiredProtos(VALIDATION_PROTOS, 'ValidationModule'),
    {
      provide: VALIDATION_STAGE,
      inject: [VALIDATION_PROTOS, VALIDATION_OPTIONS],
      useFactory: validationStage,
    },
  ],
})
export class ValidationModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}
