import { IsBoolean, IsOptional } from 'class-validator';
import { BooleanQuery } from '../../platform/tenancy/index.js';

export class DomainQuery {
  /** With 1 the name servers are asked, even if they were asked within the last hour. */
  @IsOptional() @BooleanQuery() @IsBoolean() refresh?: boolean;
}
