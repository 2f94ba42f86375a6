// The journal: what it is, who reads it, how it is saved, and its entries as bytes.
#pragma once

#include <lido/entity/journal/entry_form.hpp>
#include <lido/entity/journal/journal.hpp>
#include <lido/entity/journal/journal_rewind.hpp>
