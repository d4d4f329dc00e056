/** A job enrolls the new members of lists and segments in the campaigns of one workspace. */
export const AUTO_ENROLLING = 'auto-enrolling';
