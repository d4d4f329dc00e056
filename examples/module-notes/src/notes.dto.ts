import { IsInstant, ListQuery, NullableField, OptionalField, TextField } from 'outreach/extension';

export class CreateNoteDto {
  @TextField(2000) text!: string;
  @NullableField() @IsInstant() remind_at?: Date | null;
}

export class UpdateNoteDto {
  @OptionalField() @TextField(2000) text?: string;
  @NullableField() @IsInstant() remind_at?: Date | null;
}

export class NoteListQuery extends ListQuery({ sort: ['created_at', 'updated_at', 'remind_at'], search: ['text'] }) {}
