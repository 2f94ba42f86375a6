// All of lido's entity layer: the schema of fields, the journal of changes, and the stage on which entities live. Needs world, and so core.
#pragma once

#include <lido/entity/journal.hpp>
#include <lido/entity/schema/bounded_vector.hpp>
#include <lido/entity/schema/bytes.hpp>
#include <lido/entity/schema/class_schema.hpp>
#include <lido/entity/schema/description.hpp>
#include <lido/entity/schema/link.hpp>
#include <lido/entity/schema/record.hpp>
#include <lido/entity/schema/schema_of.hpp>
#include <lido/entity/schema/text.hpp>
#include <lido/entity/stage/lasting.hpp>
#include <lido/entity/stage/stage.hpp>
