import {
  Body,
  Contact,
  Controller,
  Delete,
  Get,
  InWorkspace,
  LoadedRecord,
  LoadRecord,
  Post,
  Put,
  Query,
  RequirePermission,
  Responds,
  RespondsNoContent,
  RespondsPage,
  sql,
  Summary,
  WorkspaceScope,
} from 'outreach/extension';
import { CreateNoteDto, NoteListQuery, UpdateNoteDto } from './notes.dto.js';
import { Note } from './note.entity.js';
import { noteView } from './note.view.js';
import { NotesService } from './notes.service.js';

const ofContact = { column: 'contact_id', parameter: 'id' };

@Controller('v1/contacts/:id/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @Summary('List the notes on a contact', 'listContactNotes')
  @RequirePermission('notes:read')
  @LoadRecord(Contact)
  @RespondsPage(noteView)
  list(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() contact: Contact, @Query() query: NoteListQuery) {
    return scope.of(Note).page(query, [sql`record.contact_id = ${contact.id}`]);
  }

  @Post()
  @Summary('Write a note on a contact', 'createContactNote')
  @RequirePermission('notes:write')
  @LoadRecord(Contact)
  @Responds(noteView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() contact: Contact, @Body() dto: CreateNoteDto) {
    return this.notes.create(scope, contact.id, dto);
  }

  @Get(':note')
  @Summary('Get a note', 'getContactNote')
  @RequirePermission('notes:read')
  @LoadRecord(Contact)
  @LoadRecord(Note, 'note', ofContact)
  @Responds(noteView)
  get(@LoadedRecord('note') note: Note) {
    return note;
  }

  @Put(':note')
  @Summary('Change a note', 'updateContactNote')
  @RequirePermission('notes:write')
  @LoadRecord(Contact)
  @LoadRecord(Note, 'note', ofContact)
  @Responds(noteView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('note') note: Note, @Body() dto: UpdateNoteDto) {
    return this.notes.update(scope, note.id, dto);
  }

  @Delete(':note')
  @Summary('Delete a note', 'deleteContactNote')
  @RequirePermission('notes:write')
  @LoadRecord(Contact)
  @LoadRecord(Note, 'note', ofContact)
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('note') note: Note) {
    return scope.of(Note).delete(note.id);
  }
}
