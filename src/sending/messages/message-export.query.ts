import { IsBoolean, IsOptional } from 'class-validator';
import { BooleanQuery } from '../../platform/tenancy/index.js';
import { MessageListQuery } from './message-list.query.js';

/** The filters of the list of messages, and the encoding of the file. */
export class MessageExportQuery extends MessageListQuery {
  /** With 1 the file begins with a byte order mark, which tells Excel that it is UTF-8. */
  @BooleanQuery() @IsOptional() @IsBoolean() bom?: boolean;
}
