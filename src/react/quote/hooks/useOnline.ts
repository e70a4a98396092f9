import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => onlineManager.subscribe(changed);
const isOnline = () => onlineManager.isOnline();
const isOnlineOnServer = () => true;

/** Whether there is a connection, as react-query sees it. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline, isOnlineOnServer);
