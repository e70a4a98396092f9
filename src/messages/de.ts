import type { RampMessages } from './RampMessages.js';

/** German. */
export const messages: RampMessages = {
  buy: 'Krypto kaufen',
  opening: 'Die Kasse wird geöffnet…',
  failed: 'Die Kasse ließ sich nicht öffnen.',
  offline: 'Der Shop ist nicht erreichbar. Bitte die Verbindung prüfen.',
  retry: 'Noch einmal versuchen',
  blocked: 'Das Fenster wurde blockiert.',
  openHere: 'Die Kasse hier öffnen.',
  checkout: 'Kasse',
  close: 'Kasse schließen',
  newWindow: 'In neuem Fenster öffnen',
  loading: 'Die Kasse wird geladen…',
  slow: 'Die Kasse erscheint nicht. Vielleicht öffnet sie sich in einem neuen Fenster.',
};
