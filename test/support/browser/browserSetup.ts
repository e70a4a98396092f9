import { configure } from '@testing-library/react';

// The default of one second is too short for slow CI machines.
configure({ asyncUtilTimeout: 5000 });
