import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => onlineManager.subscribe(changed);
const isOnline = () => onlineManager.isOnline();
const isOnlineOnServer = () => true;

/** Returns whether there is a connection, according to react-query. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline, isOnlineOnServer);
