import { Global, Module } from '@nestjs/common';
import { EnrollmentTiming } from '../../campaigns/index.js';
import { SendingEnrollmentTiming } from './sending-enrollment-timing.js';

/** Global, because `campaigns` needs it and cannot import `sending`. */
@Global()
@Module({
  providers: [{ provide: EnrollmentTiming, useClass: SendingEnrollmentTiming }],
  exports: [EnrollmentTiming],
})
export class EnrollmentTimingModule {}
