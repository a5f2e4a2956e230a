import { ApplicationConfig } from '@nestjs/core';

/** Whether this runs with Nest 11, which lacks a method that every Nest 12 has. */
export const IS_NEST_11 = !('registerPreRequestHook' in ApplicationConfig.prototype);
