/** The element whose note is shown. */
export type NoteHost = HTMLElement & { open(): void; close(): void };

/** Marks the children that an element has added itself. */
export const OWN_PART = 'data-ramp-part';
