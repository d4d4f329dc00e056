export { Absence } from './absence.entity.js';
export { absenceEnd, type AbsencePeriod, isAway, localDay, OUT_OF_OFFICE } from './absence.js';
export { lockAbsences } from './absences.queries.js';
export { Absences } from './absences.service.js';
